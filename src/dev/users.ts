import path from 'node:path';
import { count, inQuotes } from '../diagnostics/quote.ts';
import { writableFolder } from '../git/tracked.ts';
import { withAssignment } from '../users/assign.ts';
import { keyProblem } from '../users/key.ts';
import { decodeUtf8 } from '../source/text.ts';
import type { UsersOfSource } from './pages/users-card.ts';
import { type Payload, reject, type Reply, textOf } from './payload.ts';
import type { Session } from './session.ts';

const USERS_FILE = 'users.csv';
/** Maximum size of a file of users that the pages change, in bytes: undoing a change needs both versions. */
const MAX_FILE_BYTES = 8_000_000;
/** With more keys than this, files are not read for a page. */
const MAX_KEYS = 200_000;

/** Assigns a theme to a user: in the line that has the key, wherever it is, or in a new line of `users.csv`. */
export async function giveTheme(payload: Payload, session: Session, slug: string): Promise<Reply> {
  const { view, options } = session;
  const key = textOf(payload, 'key');
  const refuse = (reason: string): Reply => reject(400, new Map([['key', [reason]]]));
  if (key === '' || view === undefined) return refuse('Type the key of a user.');
  const problem = keyProblem(key);
  if (problem !== undefined) return refuse(`This is no key: it ${problem}.`);
  const [listed] = (await view.find([{ kind: 'user', key }])).toSorted(
    (a, b) => Number(a.isCaseIgnored) - Number(b.isCaseIgnored),
  );
  const place = listed && `${listed.location.file}:${listed.location.start?.line}`;
  if (listed?.isCaseIgnored === true)
    return refuse(
      `${place} lists this key in another case, which some hosts do not distinguish. Type it as it is there.`,
    );
  if (listed?.again !== undefined)
    return refuse(
      `This key is listed twice: ${place} and line ${listed.again.start?.line} of ${listed.again.file}. Delete one of them.`,
    );
  const file = listed && view.linked.walk.users.find((one) => one.file === listed.location.file);
  if (listed !== undefined && file === undefined)
    return refuse(`This key is listed in ${place}, outside the themes folder. Change it there.`);
  const name = file === undefined ? USERS_FILE : path.relative(options.themesDir, file.path).replaceAll(path.sep, '/');
  const before = await writableFolder(options.themesDir).read(name, MAX_FILE_BYTES);
  const text = before === undefined ? 'user,theme\n' : decodeUtf8({ file: name, bytes: before }, () => undefined);
  const mark = before?.subarray(0, 3).toString() === '\ufeff' ? '\ufeff' : '';
  const id = view.themes.find((theme) => theme.slug === slug)?.record.id ?? 0;
  const after = text === undefined ? undefined : withAssignment(text, { key, slug, id }, listed?.location.start?.line);
  if (after === undefined)
    return refuse(`${inQuotes(name)} cannot be changed here: its header is not \`user,theme\`. Edit the file.`);
  if (after !== text)
    await session.write(slug, [{ name, before, after: Buffer.from(mark + after) }], `give ${slug} to ${key}`);
  // A write looks at the folder of its theme alone.
  await session.refresh();
  return { status: 200, json: {} };
}

/** The files that assign a theme, with the number of users and groups in each; nothing if they are too large to read for a page. */
export async function sourcesOf({ view }: Session, slug: string): Promise<UsersOfSource[] | undefined> {
  const total = Object.values(view?.countsByTheme ?? {})
    .flat()
    .reduce((sum, n) => sum + n, 0);
  if (view === undefined || total > MAX_KEYS) return undefined;
  const theme = view.slugs.indexOf(slug);
  return [...(await view.usersBySource())].flatMap(([file, { user, group }]) => {
    const counts = [user[theme] ?? 0, group[theme] ?? 0] as const;
    const parts = counts.flatMap((n, at) => (n === 0 ? [] : count(n, at === 0 ? 'user' : 'group')));
    return parts.length === 0 ? [] : { file, text: parts.join(' and ') };
  });
}
