import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { logoFrom } from '../io/images/logo.ts';
import { newTheme } from '../document/new-theme.ts';
import { paletteOfColour } from '../theme/palette.ts';
import type { RequestContext } from './context.ts';
import { slugFor } from './create-theme.ts';
import { updateTheme } from './edit-theme.ts';
import { ACTIONS } from './theme-actions.ts';
import { authoredThemes } from './theme-edits.ts';
import { add, placedSentence, reportErrors } from './field-errors.ts';
import { notWritten } from './file-edits.ts';
import { openInEditor, parsePlace } from './editor.ts';
import { isLoopback } from './guard.ts';
import { galleryContent } from './pages.ts';
import { DEV_PATHS, themePath } from './pages/layout.ts';
import { previewRecord } from './new-theme-preview.ts';
import { type NewThemeInput, newThemePage } from './pages/new-theme-page.ts';
import { refusedPage } from './pages/not-found-page.ts';
import type { FieldErrors, Payload, Rejection } from './payload.ts';
import { bodyOf } from './post.ts';
import type { Reply } from './reply.ts';
import { receive } from './request.ts';
import type { Session } from './session.ts';

const ACTION = /^\/themes\/([a-z0-9-]+)\/(edit|undo|duplicate|delete|default)$/;

/** What changes the themes: forms of the pages of this server, with its token. @returns nothing for any other path */
export async function studioPost(
  request: IncomingMessage,
  pathname: string,
  context: RequestContext,
): Promise<Reply | undefined> {
  const { session } = context;
  const [, slug = '', action] = ACTION.exec(pathname) ?? [];
  const isNew = pathname === DEV_PATHS.newTheme;
  const isTheme = session.view?.themes.some((theme) => theme.slug === slug) === true;
  const isPlace = pathname === DEV_PATHS.open;
  if (!isNew && !isPlace && !isTheme && !(action === 'undo' && session.deleted.includes(slug))) return undefined;
  const refuse = (rejection: Rejection): Reply => ({
    status: rejection.status,
    json: bodyOf(rejection),
    html: () => refusedPage(isPlace ? 'Not opened' : 'Not saved', rejection.detail ?? '', galleryContent(context)),
  });
  const payload = await receive(request, context);
  if ('status' in payload) return refuse(payload);
  if (isPlace) {
    const refusal = await openPlace(request, payload, session);
    return refusal === undefined ? { status: 204, json: {}, html: () => '' } : refuse(refusal);
  }
  const change = async (): Promise<Reply> => {
    if (isNew) return createFromPage(payload, context);
    const result = await (action === 'edit'
      ? updateTheme(slug, payload, session)
      : ACTIONS[action as keyof typeof ACTIONS](slug, session, payload));
    if (result !== undefined && 'status' in result) return refuse(result);
    return { status: 200, json: result ?? {}, html: () => '', next: result?.location ?? themePath(slug) };
  };
  try {
    return await session.serially(change);
  } catch (error) {
    return refuse(notWritten(error));
  }
}

/** Opens a place in the editor of the developer, for a page on this machine. @returns why not */
async function openPlace(
  { socket }: IncomingMessage,
  { typed }: Payload,
  { options: { cwd, themesDir } }: Session,
): Promise<Rejection | undefined> {
  if (!isLoopback(socket.remoteAddress))
    return { status: 403, detail: 'Files are opened for pages on the machine of the server only.' };
  const place = parsePlace(typed.get('place')?.[0] ?? '');
  if (place === undefined) return { status: 400, detail: 'The request is not a form with a place.' };
  const detail = await openInEditor(place, { cwd, themesDir, env: process.env });
  return detail === undefined ? undefined : { status: 409, detail };
}

/** Makes what `themecast new` makes. */
async function createFromPage(payload: Payload, context: RequestContext): Promise<Reply> {
  const { session } = context;
  const text = (field: string): string => payload.typed.get(field)?.[0]?.trim() ?? '';
  const input: NewThemeInput = { name: text('name'), colour: text('colour'), extends: text('extends') };
  const errors: FieldErrors = new Map(payload.rejection?.errors ?? []);
  const slug = slugFor(new Map(payload.fields), errors);
  const { content, site, id } = await authoredThemes(session);
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
