/** The stage: keeps the preview whole in its place, and leads from its elements to their settings and back. */

const stage = document.querySelector<HTMLElement>('.stage');

/** The elements of the preview that match a selector; nothing of the theme before. */
export function previewOf(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#preview :is(${selector})`)];
}

/** Widths in pixels. On a computer, the mock page is between the first two, a real page as wide as the second. */
const [NARROW, WIDE, PHONE] = [600, 1280, 390];

/** Scales one page so that all of it is in its place, and its ground fills that. */
function fit(place: HTMLElement): void {
  const { clientWidth, clientHeight, firstElementChild: page } = place;
  if (clientWidth === 0 || !(page instanceof HTMLElement)) return;
  const isPhone = document.querySelector('#width-phone:checked') !== null;
  const isFrame = page instanceof HTMLIFrameElement;
  let width = isPhone ? PHONE : Math.max(isFrame ? WIDE : NARROW, clientWidth);
  let scale = 1;
  page.style.minHeight = '0';
  // A wider page is less high, and so may be larger: three rounds are enough.
  for (let round = 0; round < 3; round++) {
    page.style.width = `${width}px`;
    scale = Math.min(1, clientWidth / width, isFrame ? 1 : clientHeight / page.offsetHeight);
    if (!isPhone) width = Math.max(width, Math.min(WIDE, clientWidth / scale));
  }
  page.style.minHeight = `${clientHeight / scale}px`;
  page.style.transform = `translateX(-50%) scale(${scale})`;
}

let frame = 0;
/** Fits all pages before the next frame. */
export function fitSoon(): void {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => stage?.querySelectorAll<HTMLElement>('.scroll').forEach(fit));
}

/** Outlines the elements of the preview on which a field acts. */
function showWhere({ target }: Event): void {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-shows]') : null;
  for (const element of previewOf('[data-field]'))
    element.classList.toggle(
      'hot',
      element.dataset['field']?.split(' ').includes(row?.dataset['shows'] ?? '') === true,
    );
}

/** Opens the setting of an element of the preview. */
function open(field: string): void {
  const colour = /^c(\d)$/.exec(field)?.[1];
  const chosen = document.getElementById(`chosen-${colour}`);
  if (chosen instanceof HTMLInputElement) chosen.checked = true;
  const control = document.getElementById(`f-${field}`);
  control?.focus({ preventScroll: true });
  control?.closest('.field, .palette-editor')?.scrollIntoView({ block: 'center' });
}

if (stage !== null) {
  // On a phone, one mode is large enough to be seen.
  const light = document.querySelector<HTMLInputElement>('#mode-light');
  if (light !== null && !new URLSearchParams(location.search).has('mode') && innerWidth < 800) light.checked = true;
  new ResizeObserver(fitSoon).observe(stage);
  new MutationObserver(fitSoon).observe(stage, { childList: true, subtree: true });
  // Images, and the style sheet of the theme, which takes over from the values that were previewed.
  const settle = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement)
      for (const { style } of previewOf('.screen'))
        for (const name of [...style].filter((one) => one.startsWith('--'))) style.removeProperty(name);
    fitSoon();
  };
  document.addEventListener('load', settle, true);
  stage.addEventListener('change', fitSoon);
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, showWhere);
  stage.addEventListener('click', ({ target }) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('#preview [data-field]') : null;
    if (element !== null) open(element.dataset['field']?.split(' ')[0] ?? '');
  });
}
