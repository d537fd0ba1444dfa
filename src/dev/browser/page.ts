/** Every page of `themecast dev`: shows what has changed, and opens places in the editor. Pages are readable without it. */

const build = document.querySelector<HTMLMetaElement>('meta[name="themecast-build"]');
const status = document.body.appendChild(document.createElement('p'));
status.className = 'toast';
status.setAttribute('role', 'status');

/** Says something, to screen readers too. @param label - of a button, which does the action */
export function say(text: string, label = '', action = (): void => say('')): void {
  const button = document.createElement('button');
  button.className = 'quiet';
  button.textContent = label;
  button.addEventListener('click', action);
  status.replaceChildren(text, ...(label === '' ? [] : [button]));
  status.classList.toggle('shown', text !== '');
}

/** Whether a part has input that is not saved, and so is left as it is. */
function hasInput(part: Element): boolean {
  const inputs = part.querySelectorAll<HTMLInputElement>('input:not([type="file"], [type="radio"])');
  return (
    [...inputs].some(({ value, defaultValue }) => value !== defaultValue) ||
    part.querySelector('[aria-invalid]') !== null
  );
}

/** What the reader has opened or closed stays so. */
function textOf({ outerHTML }: Element): string {
  return outerHTML.replaceAll(' open=""', '');
}

/** Where the server has the page that is shown. */
let shown = location.href;

/** Shows a page as it is now, part by part, without moving the focus or losing input. */
export async function refresh(url = shown): Promise<void> {
  shown = url;
  const response = await fetch(url, { headers: { Accept: 'text/html' } });
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (url !== shown) return; // a later one is under way
  const focused = document.activeElement?.id;
  for (const part of document.querySelectorAll('[data-part]')) {
    const replacement = next.getElementById(part.id);
    if (replacement === null) location.reload();
    else if (!hasInput(part) && textOf(part) !== textOf(replacement)) part.replaceWith(replacement);
  }
  const focus = focused === undefined || focused === '' ? null : document.getElementById(focused);
  if (focus !== null && focus !== document.activeElement) focus.focus({ preventScroll: true });
  const now = next.querySelector<HTMLMetaElement>('meta[name="themecast-build"]');
  if (build !== null && now !== null) build.content = now.content;
}

/** What this page changes itself: it then shows that itself, before any message. */
let own: Promise<void> = Promise.resolve();
export function after(change: Promise<void>): void {
  own = change;
}

const PROBLEMS = 'The themes have errors';
async function receive(message: { type: 'built' | 'problems'; build: number }): Promise<void> {
  await own;
  if (String(message.build) === build?.content) return;
  if (document.querySelector('main [data-part]') === null) return location.reload();
  await refresh();
  if (message.type === 'problems') say(PROBLEMS);
  else if (status.textContent === PROBLEMS) say('');
}

/** Browsers open six connections to a server (HTTP/1.1): hidden tabs must not use them all. */
let events: EventSource | undefined;
function listen(): void {
  events?.close();
  if (document.hidden || build === null) return;
  events = new EventSource('/__themecast/events');
  events.addEventListener('message', ({ data }: MessageEvent<string>) => {
    void receive(JSON.parse(data) as Parameters<typeof receive>[0]);
  });
}
document.addEventListener('visibilitychange', listen);
listen();

/** A form whose page is asked for again while one types. */
const live = document.querySelector<HTMLFormElement>('[data-live]');
let wait: ReturnType<typeof setTimeout> | undefined;
live?.addEventListener('input', () => {
  clearTimeout(wait);
  wait = setTimeout(() => void update(live), 100);
});
async function update(form: HTMLFormElement): Promise<void> {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '' && name !== 'token') url.searchParams.set(name, value);
  if (form.method === 'get') history.replaceState(null, '', url);
  await refresh(url.href);
  form.dispatchEvent(new Event('shown'));
}

// Opens a place without leaving the page, and reports why it cannot be opened.
async function openPlace(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const body = new URLSearchParams([...new FormData(form, submitter)].map(([name, value]) => [name, value as string]));
  const response = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'application/json' } });
  if (!response.ok) say(((await response.json()) as { detail: string }).detail, 'Close');
}
document.addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement) || !event.target.matches('[data-open]')) return;
  event.preventDefault();
  void openPlace(event.target, event.submitter);
});
