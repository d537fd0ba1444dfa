/** Greatest size of a colour profile, in bytes. Those of printing presses, the largest in use, have up to 3 million. */
export const PROFILE_LIMIT = 4 * 1024 * 1024;

/** Bytes of the header (ICC.1:2022, §7.2), and where its signature is. */
const HEADER = 128;
const SIGNATURE = 36;

/** Whether a colour profile is as long as it says, and no longer. */
export function isWholeProfile(icc: Buffer): boolean {
  return (
    icc.length > HEADER &&
    icc.length <= PROFILE_LIMIT &&
    icc.readUInt32BE(0) === icc.length &&
    icc.toString('latin1', SIGNATURE, SIGNATURE + 4) === 'acsp'
  );
}
