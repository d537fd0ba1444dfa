/** The largest image that a site may allow, in bytes: Cloudflare serves no larger file. */
export const MAX_IMAGE_BYTES = 104_857_600;
