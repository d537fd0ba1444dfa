import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { readAuthored } from '../build/pipeline.ts';
import { count } from '../diagnostics/quote.ts';
import { headerOf } from '../http/io/server.ts';
import { writableFolder } from '../io/disk/tracked.ts';
import { IncrementalCache } from '../io/incremental/incremental-cache.ts';
import { readIfFile } from '../io/incremental/file-hashes.ts';
import { TEXT_LIMIT } from '../io/themes/discover.ts';
import { logoFrom } from '../scaffold/io/logo.ts';
import { newTheme } from '../scaffold/new-theme.ts';
import { editTheme } from '../theme/edit-theme.ts';
import { nextId } from '../theme/next-id.ts';
import { paletteOfColour } from '../theme/palette.ts';
import { SITE_DEFAULTS } from '../theme/site.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { readBody } from './body.ts';
import type { RequestContext } from './context.ts';
import { slugFor } from './create-theme.ts';
import { readTheme, updateTheme } from './edit-theme.ts';
import { add, placedSentence, reportErrors } from './field-errors.ts';
import { type FileEdit, notWritten } from './file-edits.ts';
import { isSameOrigin, isToken } from './guard.ts';
import { galleryContent } from './pages.ts';
import { DEV_PATHS, themePath } from './pages/layout.ts';
import { previewRecord } from './new-theme-preview.ts';
import { type NewThemeInput, newThemePage } from './pages/new-theme-page.ts';
import { refusedPage } from './pages/not-found-page.ts';
import type { FieldErrors, Payload, Rejection } from './payload.ts';
import { bodyOf, FORBIDDEN, readRequest } from './post.ts';
import type { Reply } from './reply.ts';
import type { Session } from './session.ts';

const ACTION = /^\/themes\/([a-z0-9-]+)\/(edit|undo|duplicate|delete)$/;

/** What changes the themes: forms of the pages of this server, with its token. @returns nothing for any other path */
export async function studioPost(
  request: IncomingMessage,
  pathname: string,
  context: RequestContext,
): Promise<Reply | undefined> {
  const { session, token, origin } = context;
  const [, slug = '', action] = ACTION.exec(pathname) ?? [];
  const isNew = pathname === DEV_PATHS.newTheme;
  if (!isNew && session.view?.themes.some((theme) => theme.slug === slug) !== true) return undefined;
  const refuse = (rejection: Rejection): Reply => ({
    status: rejection.status,
    json: bodyOf(rejection),
    html: () => refusedPage('Not saved', rejection.detail ?? '', galleryContent(context)),
  });
  if (!isSameOrigin(request, origin)) {
    void readBody(request, 0);
    return refuse({ status: 403, detail: FORBIDDEN.origin });
  }
  const payload = await readRequest(request, (session.site ?? SITE_DEFAULTS).limits.post_body_bytes);
  if (!('fields' in payload)) return refuse(payload);
  if (!isToken(headerOf(request, 'X-Themecast-Token') ?? payload.token ?? '', token))
    return refuse({ status: 403, detail: FORBIDDEN.token });
  const done = (rejection: Rejection | undefined, location?: string): Reply =>
    rejection === undefined
      ? { status: 200, json: location === undefined ? {} : { location }, html: () => '' }
      : refuse(rejection);
  const change = async (): Promise<Reply> => {
    if (isNew) return createFromPage(payload, context);
    if (action === 'edit') return done(await updateTheme(slug, payload, session));
    if (action === 'delete') return done(await deleteTheme(slug, session), '/');
    if (action === 'duplicate') return await duplicate(slug, payload, session, done);
    await session.undo(slug);
    return done(undefined);
  };
  try {
    return await session.serially(change);
  } catch (error) {
    return refuse(notWritten(error));
  }
}

/** Removes the folder of a theme, unless it is needed. */
async function deleteTheme(slug: string, session: Session): Promise<Rejection | undefined> {
  const { themes = [], slugs = [], countsByTheme } = session.view ?? {};
  const authored = await readAuthored(session.options, await IncrementalCache.open(), () => undefined);
  const at = slugs.indexOf(slug);
  const users = (countsByTheme?.user[at] ?? 0) + (countsByTheme?.group[at] ?? 0);
  const children = authored.sources.filter(({ fields }) => fields.extends === slug).length;
  const reasons = [
    ...(themes.find((theme) => theme.slug === slug)?.record.is_default === true ? ['it is the default theme'] : []),
    ...(children > 0 ? [`${count(children, 'theme')} ${children === 1 ? 'is' : 'are'} based on it`] : []),
    ...(users > 0 ? [`${count(users, 'user or group', 'users and groups')} ${users === 1 ? 'has' : 'have'} it`] : []),
  ];
  if (reasons.length > 0) return { status: 409, detail: `The theme cannot be deleted: ${reasons.join(', and ')}.` };
  const files = await filesOf(slug, session);
  await session.write(
    slug,
    files.map(({ name, bytes }) => ({ name, before: bytes })),
  );
  return undefined;
}

/** The files of a folder. Folders in it are left out. */
async function filesOf(slug: string, { options, site }: Session) {
  const { limits } = site ?? SITE_DEFAULTS;
  const folder = writableFolder(options.themesDir);
  const files: { name: string; bytes: Buffer }[] = [];
  for (const { name, kind } of await folder.list(slug)) {
    const bytes = kind === 'file' ? await folder.read(`${slug}/${name}`, limits.picture_bytes) : undefined;
    if (bytes !== undefined) files.push({ name: `${slug}/${name}`, bytes });
  }
  return files;
}

/** Copies a theme, under the name that was given and the next free id. */
async function duplicate(
  slug: string,
  payload: Payload,
  session: Session,
  done: (rejection: Rejection | undefined, location?: string) => Reply,
): Promise<Reply> {
  const errors: FieldErrors = new Map();
  const copy = slugFor(payload.fields, errors);
  const theme = await readTheme(session, slug);
  const { content, id } = await nextTheme(session);
  if (content.files.has(copy)) add(errors, 'name', 'There is a theme of this name already. Give the copy another one.');
  const changes = new Map<string, unknown>([
    ['id', id],
    ['name', payload.fields.get('name')],
    ['is_default', undefined],
  ]);
  const text = theme && editTheme(theme.text, changes);
  if (errors.size > 0) return done({ status: 400, detail: [...errors.values()].flat().join(' ') });
  if (text === undefined) return done({ status: 409, detail: 'Fix the errors of this theme first.' });
  const edits = (await filesOf(slug, session)).map(({ name, bytes }): FileEdit => {
    const to = `${copy}/${name.slice(slug.length + 1)}`;
    return { name: to, after: name === `${slug}/${THEME_FILE}` ? Buffer.from(text) : bytes };
  });
  await session.write(copy, edits);
  return done(undefined, themePath(copy));
}

async function nextTheme(session: Session) {
  const authored = await readAuthored(session.options, await IncrementalCache.open(), () => undefined);
  const { content, sources } = authored;
  const texts = content.themes.flatMap((theme) => readIfFile(theme.path, TEXT_LIMIT)?.toString() ?? []);
  return { ...authored, id: nextId(texts, sources) };
}

/** Makes what `themecast new` makes. */
async function createFromPage(payload: Payload, context: RequestContext): Promise<Reply> {
  const { session } = context;
  const text = (field: string): string => payload.typed.get(field)?.[0]?.trim() ?? '';
  const input: NewThemeInput = { name: text('name'), colour: text('colour'), extends: text('extends') };
  const errors: FieldErrors = new Map(payload.rejection?.errors ?? []);
  const slug = slugFor(new Map(payload.fields), errors);
  const { content, site, id } = await nextTheme(session);
  if (content.files.has(slug))
    add(errors, 'name', 'There is a theme of this name already. Give this one another name.');
  const palette = input.colour === '' ? undefined : paletteOfColour(input.colour);
  if (palette !== undefined && 'problem' in palette)
    add(errors, 'colour', 'This is not an opaque CSS colour. Write it like #0b5fff or navy.');
  if (input.extends !== '' && !content.files.has(input.extends)) add(errors, 'extends', 'There is no such theme.');
  const sent = payload.files.get('logo');
  const report = reportErrors((diagnostic) => add(errors, 'logo', placedSentence(diagnostic)));
  const logo =
    sent &&
    (await logoFrom(Buffer.from(sent), payload.names.get('logo') ?? 'logo', site.limits, session.decoders, report));
  if (errors.size > 0)
    return {
      status: 400,
      json: Object.fromEntries(errors),
      html: () => newThemePage(input, errors, previewRecord(input, session), galleryContent(context)),
    };
  const { files } = newTheme({
    name: input.name,
    id,
    logo,
    palette: Array.isArray(palette) ? palette : undefined,
    parent: input.extends === '' ? undefined : input.extends,
    isDefault: content.themes.length === 0,
  });
  await session.write(
    slug,
    [...files].map(([name, bytes]) => ({ name: `${slug}/${name}`, after: Buffer.from(bytes) })),
  );
  return { status: 303, location: themePath(slug) };
}

/** The compiled modules of the browser. */
export async function browserModule(name: 'page' | 'studio'): Promise<string> {
  return readFile(new URL(`../../lib/dev/browser/${name}.js`, import.meta.url), 'utf8');
}
