/** Whether an ICC profile is about a colour space that images have; browsers ignore others, like Lab. */
export function isImageProfile(icc: Uint8Array): boolean {
  return /^(?:RGB |GRAY|CMYK)$/.test(Buffer.from(icc.subarray(16, 20)).toString('latin1'));
}
