import { randomBytes } from 'node:crypto';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { count } from '../../core/diagnostics/quote.ts';
import { MIN_SECRET_BYTES } from '../../core/edge-runtime/token.ts';
import { loadAdapters } from '../../hosts/adapter/registry.ts';
import { KEY_SECRET } from '../../hosts/contract/secrets.ts';
import { isNeeded } from '../../core/users/mapping.ts';
import { SHARD_BITS, themeBytes } from '../../core/users/shards.ts';
import type { Theme } from '../../core/theme/resolve.ts';
import type { Site } from '../../core/theme/site/site.ts';
import { readUsers, type Users } from '../../core/users/read-users.ts';
import type { UsersSource } from '../../core/users/source-rows.ts';
import { fileOf, namedUsers, openUsersFile, type UsersFolder } from '../../core/users/io/sources.ts';
import { ThemecastError } from '../../core/diagnostics/themecast-error.ts';

/** Assignments outside the themes folder, and the secret of keyed shards. A check has no edge directory. */
export interface UsersOptions {
  users?: string | undefined;
  edgeOutDir?: string | undefined;
  keySecret?: string | undefined;
}

export async function readAssignments(
  options: UsersOptions,
  folder: UsersFolder,
  site: Site,
  themes: readonly Theme[],
  report: Report,
): Promise<Users> {
  const { slugs } = folder;
  const hosts = Object.values(await loadAdapters(site.edge));
  const themeOf = new Map(themes.map((theme) => [theme.slug, theme]));
  const idsOf = (kind: 'user' | 'group'): (number | undefined)[] =>
    slugs.map((slug) => {
      const theme = themeOf.get(slug);
      return theme && isNeeded(kind, theme.is_default, site.identity) ? theme.id : undefined;
    });
  return readUsers(
    userSources(options, folder, themes, report),
    {
      themes: slugs,
      ids: { user: idsOf('user'), group: idsOf('group') },
      folding: hosts.find(({ capabilities }) => !capabilities.caseSensitiveKeys)?.title,
      retainsPairs:
        !site.mapping.keyed || hosts.some(({ capabilities: { keyed, maxKeys } }) => keyed === undefined && maxKeys > 0),
      shards: site.mapping.keyed
        ? {
            bits: SHARD_BITS,
            themeBytes: themeBytes(themes.map(({ id }) => id)),
            secret: keySecret(options),
          }
        : undefined,
    },
    report,
  );
}

/** Returns the secret of keyed shards. A check stores no shards, so a random secret is enough. */
function keySecret({ edgeOutDir, keySecret: secretText = '' }: UsersOptions): Uint8Array {
  const secret = Buffer.from(secretText);
  if (edgeOutDir === undefined) return randomBytes(MIN_SECRET_BYTES);
  if (secret.length >= MIN_SECRET_BYTES) return secret;
  const problem = secretText === '' ? 'is not set' : `has ${count(secret.length, 'byte')}`;
  throw new ThemecastError(
    'key-secret',
    `site.yaml enables keyed shards (\`mapping.keyed\`), but their secret ${KEY_SECRET} ${problem}. Set it in the environment to at least ${MIN_SECRET_BYTES} bytes: \`openssl rand -hex 32\` generates one.`,
  );
}

/** Returns the sources in reading order: for duplicate users, the first assignment applies. */
export function userSources(
  { users }: Pick<UsersOptions, 'users'>,
  { themesDir, slugs, users: files }: UsersFolder,
  themes: readonly Pick<Theme, 'slug' | 'id'>[],
  report: Report,
): UsersSource[] {
  const idBySlug = new Map(themes.map(({ slug, id }) => [slug, String(id)]));
  const ids = slugs.map((slug) => idBySlug.get(slug) ?? '');
  const sources: UsersSource[] = files.map((userFile) => ({
    file: userFile.file,
    open: () => openUsersFile(userFile, themesDir, report),
    ids,
  }));
  if (users !== undefined) sources.push({ file: fileOf(users), open: () => Promise.resolve(namedUsers(users)), ids });
  return sources;
}
