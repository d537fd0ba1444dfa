import path from 'node:path';
import { count, inQuotes, quote } from '../../../core/diagnostics/quote.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';
import { withAssignment, withoutAssignment } from '../../../core/users/assign.ts';
import { keyProblem } from '../../../core/users/key.ts';
import { decodeUtf8 } from '../../../core/source/text.ts';
import type { ThemeUsers } from '../pages/users-card.ts';
import { type Payload, reject, type Reply, textOf } from './payload.ts';
import type { Session } from '../session/session.ts';

const USERS_FILE = 'users.csv';
/** Limits the users files that pages can change, because undo keeps both versions in memory. */
const MAX_FILE_BYTES = 8_000_000;
/** With more keys, users files are not read for a page. */
const MAX_KEYS = 200_000;

/** Assigns a theme to a user, in the existing line of the key or in a new line of `users.csv`. */
export async function assignTheme(payload: Payload, session: Session, slug: string): Promise<Reply> {
  const { view, options } = session;
  const key = textOf(payload, 'key');
  const refuse = (reason: string): Reply => reject(400, new Map([['key', [reason]]]));
  if (key === '' || view === undefined) return refuse('Type the key of a user.');
  const problem = keyProblem(key);
  if (problem !== undefined) return refuse(`This is no key: it ${problem}.`);
  const [assignment] = (await view.find([{ kind: 'user', key }])).toSorted(
    (a, b) => Number(a.isCaseIgnored) - Number(b.isCaseIgnored),
  );
  const location = assignment && `${assignment.location.file}:${assignment.location.start?.line}`;
  if (assignment?.isCaseIgnored === true)
    return refuse(
      `${location} has this key in another case, which some hosts do not distinguish. Type it exactly as in that line.`,
    );
  if (assignment?.again !== undefined)
    return refuse(
      `This key is listed twice: ${location} and line ${assignment.again.start?.line} of ${assignment.again.file}. Delete one of them.`,
    );
  const file = assignment && view.linked.walk.users.find((source) => source.file === assignment.location.file);
  if (assignment !== undefined && file === undefined)
    return refuse(`This key is listed in ${location}, outside the themes folder. Change it there.`);
  const name = file === undefined ? USERS_FILE : path.relative(options.themesDir, file.path).replaceAll(path.sep, '/');
  const { record } = view.themes.find((theme) => theme.slug === slug) ?? {};
  const assign = (text: string): string | undefined =>
    withAssignment(text, { key, slug, id: record?.id ?? 0 }, assignment?.location.start?.line);
  if (!(await rewriteUsers(session, slug, name, `assign ${slug} to ${key}`, assign)))
    return refuse(`${inQuotes(name)} cannot be changed here: its header is not \`user,theme\`. Edit the file.`);
  return { status: 200, json: { message: `${key} now gets ${record?.name ?? slug}` } };
}

/** Rewrites the text of a users file. @returns whether it could be read and edited */
async function rewriteUsers(
  session: Session,
  slug: string,
  name: string,
  label: string,
  edit: (text: string) => string | undefined,
): Promise<boolean> {
  const before = await writableFolder(session.options.themesDir).read(name, MAX_FILE_BYTES);
  const text = before === undefined ? 'user,theme\n' : decodeUtf8({ file: name, bytes: before }, () => undefined);
  const after = text === undefined ? undefined : edit(text);
  if (after === undefined) return false;
  const mark = before?.subarray(0, 3).toString() === '\ufeff' ? '\ufeff' : '';
  if (after !== text) await session.write(slug, [{ name, before, after: Buffer.from(mark + after) }], label);
  return true;
}

/** Removes a user's assignment, so that the user gets the theme of a group or the default theme. */
export async function removeUser(payload: Payload, session: Session, slug: string): Promise<Reply> {
  const { view, options } = session;
  const key = textOf(payload, 'key');
  const found = view === undefined || key === '' ? [] : await view.find([{ kind: 'user', key }]);
  const assignment = found.find(({ isCaseIgnored }) => !isCaseIgnored);
  const line = assignment?.location.start?.line;
  const file = view?.linked.walk.users.find((source) => source.file === assignment?.location.file);
  if (line === undefined || file === undefined) return reject(409, `${quote(key)} is in no users file of the themes.`);
  const name = path.relative(options.themesDir, file.path).replaceAll(path.sep, '/');
  const remove = (text: string): string | undefined => withoutAssignment(text, key, line);
  if (!(await rewriteUsers(session, slug, name, `remove ${key} from ${slug}`, remove)))
    return reject(409, `${inQuotes(name)} cannot be changed here. Edit the file.`);
  const theme = view?.themes.find((candidate) => candidate.slug === slug)?.record.name ?? slug;
  return { status: 200, json: { message: `${key} no longer gets ${theme}` } };
}

const MAX_LISTED = 100;

/** Returns the users of a theme by file, and the first of them; undefined if the files are too large to read for a page. */
export async function themeUsers({ view }: Session, slug: string, filter: string): Promise<ThemeUsers | undefined> {
  const total = Object.values(view?.countsByTheme ?? {})
    .flat()
    .reduce((sum, n) => sum + n, 0);
  if (view === undefined || total > MAX_KEYS) return undefined;
  const theme = view.slugs.indexOf(slug);
  const sources = [...(await view.usersBySource())].flatMap(([file, { user, group }]) => {
    const counts = [user[theme] ?? 0, group[theme] ?? 0] as const;
    const parts = counts.flatMap((n, at) => (n === 0 ? [] : count(n, at === 0 ? 'user' : 'group')));
    return parts.length === 0 ? [] : { file, text: parts.join(' and ') };
  });
  return { sources, filter, ...(await view.usersOfTheme(theme, { filter, max: MAX_LISTED })) };
}
