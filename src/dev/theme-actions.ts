import { audienceOf, audienceText } from '../changes/site-state.ts';
import { count } from '../diagnostics/quote.ts';
import { writableFolder } from '../io/disk/tracked.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { slugFor } from './create-theme.ts';
import { add } from './field-errors.ts';
import type { FileEdit } from './file-edits.ts';
import { themePath } from './pages/layout.ts';
import type { FieldErrors, Payload, Rejection } from './payload.ts';
import type { Session } from './session.ts';
import { authoredThemes, editedText, readTheme } from './theme-edits.ts';

/** Why nothing was changed, or the page to show next; nothing for that of the theme. */
type Result = Promise<Rejection | { location: string } | undefined>;

/** What the page of a theme does besides editing. */
export const ACTIONS = { undo, duplicate, delete: remove, default: makeDefault } satisfies Record<
  string,
  (slug: string, session: Session, payload: Payload) => Result
>;

const BROKEN: Rejection = { status: 409, detail: 'Fix the errors of this theme first.' };

async function undo(slug: string, session: Session): Result {
  const wasDeleted = session.deleted.includes(slug);
  await session.undo(slug);
  return wasDeleted ? { location: themePath(slug) } : undefined;
}

/** Removes the folder of a theme, unless it is needed. */
async function remove(slug: string, session: Session): Result {
  const { sources } = await authoredThemes(session);
  const theme = session.view?.themes.find((shown) => shown.slug === slug);
  const audience = session.view && audienceOf(session.view.state, slug);
  const assigned = audience === undefined ? '' : audienceText(audience);
  const children = sources.filter(({ fields }) => fields.extends === slug).length;
  const reasons = [
    ...(theme?.record.is_default === true ? ['it is the default theme'] : []),
    ...(children > 0 ? [`${count(children, 'theme')} ${children === 1 ? 'is' : 'are'} based on it`] : []),
    ...(assigned === '' ? [] : [`${assigned} ${/^1 \S+$/.test(assigned) ? 'has' : 'have'} it`]),
  ];
  if (reasons.length > 0) return { status: 409, detail: `The theme cannot be deleted: ${reasons.join(', and ')}.` };
  const files = await filesIn(slug, session);
  await session.write(
    slug,
    files.map(({ name, bytes }) => ({ name, before: bytes })),
  );
  return { location: '/' };
}

/** The files of a folder, those of the innermost folders first: a folder is removed with its last file. */
async function filesIn(name: string, session: Session): Promise<{ name: string; bytes: Buffer }[]> {
  const { limits } = session.site;
  const folder = writableFolder(session.options.themesDir);
  const entries = (await folder.list(name)).toSorted((a, b) => Number(a.kind === 'file') - Number(b.kind === 'file'));
  const files: { name: string; bytes: Buffer }[] = [];
  for (const entry of entries) {
    const inside = `${name}/${entry.name}`;
    if (entry.kind === 'folder') files.push(...(await filesIn(inside, session)));
    const bytes = entry.kind === 'file' ? await folder.read(inside, limits.picture_bytes) : undefined;
    if (bytes !== undefined) files.push({ name: inside, bytes });
  }
  return files;
}

/** Copies a theme, under the name that was given and the next free id. */
async function duplicate(slug: string, session: Session, payload: Payload): Result {
  const errors: FieldErrors = new Map();
  const copy = slugFor(payload.fields, errors);
  const theme = await readTheme(session, slug);
  const { content, id } = await authoredThemes(session);
  if (content.files.has(copy)) add(errors, 'name', 'There is a theme of this name already. Give the copy another one.');
  const changes = new Map<string, unknown>([
    ['id', id],
    ['name', payload.fields.get('name')],
    ['is_default', undefined],
  ]);
  const text = theme && editedText(theme.text, changes);
  if (errors.size > 0) return { status: 400, detail: [...errors.values()].flat().join(' ') };
  if (text === undefined) return BROKEN;
  const edits = (await filesIn(slug, session)).map(({ name, bytes }): FileEdit => {
    const to = `${copy}/${name.slice(slug.length + 1)}`;
    return { name: to, after: name === `${slug}/${THEME_FILE}` ? Buffer.from(text) : bytes };
  });
  await session.write(copy, edits);
  return { location: themePath(copy) };
}

/** Makes a theme the default in place of the one that is. */
async function makeDefault(slug: string, session: Session): Result {
  const { sources } = await authoredThemes(session);
  const others = sources.filter((source) => source.fields.is_default === true && source.slug !== slug);
  const edits: FileEdit[] = [];
  for (const [name, value] of [...others.map((other) => [other.slug, undefined] as const), [slug, true] as const]) {
    const theme = await readTheme(session, name);
    const text = theme && editedText(theme.text, new Map([['is_default', value]]));
    if (theme === undefined || text === undefined) return BROKEN;
    edits.push({ name: `${name}/${THEME_FILE}`, before: theme.bytes, after: theme.withText(text) });
  }
  await session.write(slug, edits);
  return undefined;
}
