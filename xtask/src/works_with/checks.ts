// What the clients beside this file check.

export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Fails unless the name is all that differs, but for what any change moves. */
export function isRenamed(before: object, after: object) {
  const [had, has] = [before, after].map((one) => new Map(Object.entries(one)));
  const names = [...new Set([...had!.keys(), ...has!.keys()])].filter(
    (name) =>
      !['revision', 'version', 'updatedAt'].includes(name) &&
      JSON.stringify(had!.get(name)) !== JSON.stringify(has!.get(name)),
  );
  expect(names.join() === 'name', `a rename changed ${names.join()}`);
}
