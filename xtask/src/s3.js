// An S3-compatible store for the tests, in the folder that its argument names. It prints its port, and ends
// with its input.

const fs = require('fs');
const S3rver = require('@20minutes/s3rver');

const [, directory = ''] = process.argv;
const options = { address: '127.0.0.1', port: 0, directory, silent: true, configureBuckets: [{ name: 'pictures' }] };
new S3rver(options).run().then(({ port }) => console.log(`port ${port}`));
process.stdin.resume().on('end', () => {
  fs.rmSync(directory, { recursive: true, force: true });
  process.exit();
});
