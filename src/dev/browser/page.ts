/** Every page of `themecast dev`: the filter of the gallery, and what is shown after a build or an error. Pages are readable without it. */

type Message =
  | { type: 'built'; build: number }
  | { type: 'problems'; build: number; text: string; html: string; bar: string };

const build = document.querySelector<HTMLMetaElement>('meta[name="themecast-build"]');

/** A line at the foot of the page, one of each kind, with a button. */
const bars = new Map<string, HTMLElement>();

export function bar(kind: string, text: string, label: string, action: () => void, isBad = true): void {
  unbar(kind);
  const element = document.createElement('div');
  element.className = isBad ? 'bar bad' : 'bar';
  element.setAttribute('role', 'status');
  const about = document.createElement('p');
  about.textContent = text;
  const button = document.createElement('button');
  button.className = 'quiet';
  button.textContent = label;
  button.addEventListener('click', action);
  element.append(about, button);
  document.body.append(element);
  bars.set(kind, element);
}

export function unbar(kind: string): void {
  bars.get(kind)?.remove();
  bars.delete(kind);
}

/** Whether a part has input that is not saved, and so is left as it is. */
function hasInput(part: Element): boolean {
  const inputs = part.querySelectorAll<HTMLInputElement>('input:not([type="file"], [type="radio"])');
  return (
    [...inputs].some(({ value, defaultValue }) => value !== defaultValue) ||
    part.querySelector('[aria-invalid]') !== null
  );
}

/** Shows a page as it is now, part by part, without moving the focus or losing input. */
export async function refresh(url = location.href): Promise<void> {
  const response = await fetch(url, { headers: { Accept: 'text/html' } });
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  const focused = document.activeElement?.id;
  for (const part of document.querySelectorAll('[data-part]')) {
    const replacement = next.getElementById(part.id);
    if (replacement === null) location.reload();
    else if (!hasInput(part) && part.outerHTML !== replacement.outerHTML) part.replaceWith(replacement);
  }
  const focus = focused === undefined || focused === '' ? null : document.getElementById(focused);
  if (focus !== null && focus !== document.activeElement) focus.focus({ preventScroll: true });
  const now = next.querySelector<HTMLMetaElement>('meta[name="themecast-build"]');
  if (build !== null && now !== null) build.content = now.content;
}

let overlay: HTMLDialogElement | undefined;

function hide(): void {
  const shown = overlay;
  overlay = undefined;
  shown?.remove();
}

function bottom(message: Extract<Message, { type: 'problems' }>): void {
  bar('problems', message.bar, 'Show the errors', () => show(message));
}

function show(message: Extract<Message, { type: 'problems' }>): void {
  hide();
  unbar('problems');
  overlay = document.createElement('dialog');
  overlay.className = 'overlay';
  overlay.setAttribute('aria-labelledby', 'overlay-title');
  overlay.innerHTML = message.html; // escaped by the server
  const close = document.createElement('button');
  close.textContent = 'Close';
  const dismiss = (): void => {
    if (overlay === undefined) return;
    hide();
    bottom(message);
  };
  close.addEventListener('click', dismiss);
  overlay.addEventListener('close', dismiss);
  overlay.append(close);
  document.body.append(overlay);
  overlay.showModal();
}

async function receive(message: Message): Promise<void> {
  if (build === null) return;
  const isOld = String(message.build) !== build.content;
  if (isOld && document.querySelector('[data-part]') === null) location.reload();
  else if (isOld) await refresh();
  if (message.type === 'built') {
    hide();
    unbar('problems');
  } else if (document.querySelector('[data-problems] pre')?.textContent === message.text.trimEnd()) bottom(message);
  else if (document.querySelector('[data-editor]') === null) show(message);
  else bottom(message);
}

/** Browsers open six connections to a server (HTTP/1.1): hidden tabs must not use them all. */
let events: EventSource | undefined;
function listen(): void {
  events?.close();
  if (document.hidden || build === null) return;
  events = new EventSource('/__themecast/events');
  events.addEventListener('message', ({ data }: MessageEvent<string>) => {
    void receive(JSON.parse(data) as Message);
  });
}
document.addEventListener('visibilitychange', listen);
listen();

const filter = document.querySelector<HTMLInputElement>('[data-filter-input]');
const cards = [...document.querySelectorAll<HTMLElement>('[data-filter]')];
function applyFilter(query: string): void {
  const words = query.toLowerCase().split(/\s+/);
  for (const card of cards) card.hidden = !words.every((word) => card.dataset['filter']?.includes(word));
  const shown = cards.filter(({ hidden }) => !hidden).length;
  document.querySelector('[data-filter-count]')?.replaceChildren(String(shown));
  document.querySelector<HTMLElement>('[data-filter-none]')?.toggleAttribute('hidden', shown > 0);
  // The server responds to this URL with the same cards.
  const url = new URL(location.href);
  if (query === '') url.searchParams.delete('q');
  else url.searchParams.set('q', query);
  history.replaceState(null, '', url);
}
filter?.addEventListener('input', () => applyFilter(filter.value));
filter?.form?.addEventListener('change', ({ target }) => {
  if (target !== filter) filter.form?.requestSubmit();
});

// Opens a place without leaving the page, and reports why it cannot be opened.
async function openPlace(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  unbar('editor');
  const body = new URLSearchParams([...new FormData(form, submitter)].map(([name, value]) => [name, value as string]));
  const response = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'application/json' } });
  if (response.ok) return;
  const { detail } = (await response.json()) as { detail: string };
  hide();
  bar('editor', detail, 'Close', () => unbar('editor'));
}
document.addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement) || !event.target.matches('[data-open]')) return;
  event.preventDefault();
  void openPlace(event.target, event.submitter);
});
