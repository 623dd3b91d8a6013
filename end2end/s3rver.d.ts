// The part of s3rver, which has no types, that `xtask/src/s3.js` uses.
declare module '@20minutes/s3rver' {
  interface Options {
    address: string;
    port: number;
    directory: string;
    silent: boolean;
    configureBuckets: { name: string }[];
  }
  class S3rver {
    constructor(options: Options);
    run(): Promise<{ port: number }>;
  }
  export = S3rver;
}
