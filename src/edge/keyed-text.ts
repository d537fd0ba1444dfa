import { KEY_SECRET } from './secrets.ts';

/** What every README says of keyed shards, for the table of files. */
export const SHARDS_ARE =
  'who gets which theme, as keyed digests: without the secret nobody can tell who they are of, and they are **personal data** all the same';

/** Where the secret of keyed shards comes from, as a sentence. */
export const KEY_SECRET_IS = `\`${KEY_SECRET}\` is the secret that the site is built with, of 32 bytes or more: \`openssl rand -hex 32\` makes one, and whoever has it and the shards can try out who is in them.`;
