// Tells the server the browser's time zone in a cookie, so that pages show and take times in it. Without this script they
// are in UTC and say so.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const stored = () => /(?:^|; )tz=([^;]*)/.exec(document.cookie)?.[1] ?? 'UTC';

if (timeZone && stored() !== timeZone) {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `tz=${timeZone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  // The page was rendered for another zone. A refused form stays: its fields name their zone.
  const hasTimes = document.querySelector('time, [type="datetime-local"]');
  if (hasTimes && stored() === timeZone && !document.querySelector('.error-summary')) {
    location.reload();
  }
}
