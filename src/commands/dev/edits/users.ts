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
  const before = await writableFolder(options.themesDir).read(name, MAX_FILE_BYTES);
  const text = before === undefined ? 'user,theme\n' : decodeUtf8({ file: name, bytes: before }, () => undefined);
  const mark = before?.subarray(0, 3).toString() === '\ufeff' ? '\ufeff' : '';
  const id = view.themes.find((theme) => theme.slug === slug)?.record.id ?? 0;
  const after =
    text === undefined ? undefined : withAssignment(text, { key, slug, id }, assignment?.location.start?.line);
  if (after === undefined)
    return refuse(`${inQuotes(name)} cannot be changed here: its header is not \`user,theme\`. Edit the file.`);
  if (after !== text)
    await session.write(slug, [{ name, before, after: Buffer.from(mark + after) }], `assign ${slug} to ${key}`);
  // Needed because a write takes a snapshot of only its theme's folder.
  await session.refresh();
  return { status: 200, json: { message: `${key} now gets ${themeName(session, slug)}` } };
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
  const before = await writableFolder(options.themesDir).read(name, MAX_FILE_BYTES);
  const text = before && decodeUtf8({ file: name, bytes: before }, () => undefined);
  const after = text === undefined ? undefined : withoutAssignment(text, key, line);
  if (before === undefined || after === undefined)
    return reject(409, `${inQuotes(name)} cannot be changed here. Edit the file.`);
  const mark = before.subarray(0, 3).toString() === '\ufeff' ? '\ufeff' : '';
  await session.write(slug, [{ name, before, after: Buffer.from(mark + after) }], `remove ${key} from ${slug}`);
  await session.refresh();
  return { status: 200, json: { message: `${key} no longer gets ${themeName(session, slug)}` } };
}

function themeName({ view }: Session, slug: string): string {
  return view?.themes.find((theme) => theme.slug === slug)?.record.name ?? slug;
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
