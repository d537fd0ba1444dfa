/** The stage: keeps the preview whole in its place, and leads from its elements to their settings and back. */

const stage = document.querySelector<HTMLElement>('.stage');

/** The elements of the preview that match a selector; nothing of the theme before. */
export function previewOf(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#preview :is(${selector})`)];
}

/** Widths in pixels, the least on a computer: a real page needs more than the mock page. */
const WIDTHS = { desktop: 600, frame: 1280, phone: 390 };
/** Scales one page so that all of it is in its place, and its ground fills that. */
function fit(place: HTMLElement, page: HTMLElement): void {
  const { clientWidth, clientHeight } = place;
  if (clientWidth === 0) return;
  const isPhone = document.querySelector('#width-phone:checked') !== null;
  const isFrame = page instanceof HTMLIFrameElement;
  let width = isPhone ? WIDTHS.phone : Math.max(isFrame ? WIDTHS.frame : WIDTHS.desktop, clientWidth);
  let scale = 1;
  page.style.minHeight = '0';
  // A wider page is less high, and so may be larger: three rounds are enough.
  for (let round = 0; round < 3; round++) {
    page.style.width = `${width}px`;
    const height = isFrame ? 0 : page.offsetHeight;
    scale = Math.min(1, clientWidth / width, clientHeight / Math.max(1, height));
    if (!isPhone && clientWidth / scale > width + 1) width = clientWidth / scale;
    else break;
  }
  page.style.minHeight = `${clientHeight / scale}px`;
  page.style.transform = `translateX(-50%) scale(${scale})`;
}

function fitAll(): void {
  for (const place of stage?.querySelectorAll<HTMLElement>('.scroll') ?? []) {
    const page = place.firstElementChild;
    if (page instanceof HTMLElement) fit(place, page);
  }
}

let isAsked = false;
/** Fits before the next frame, once. */
export function fitSoon(): void {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    fitAll();
  });
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
  stage.addEventListener('change', fitAll);
  document.fonts.ready.then(fitSoon, fitSoon);
  fitAll();
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, showWhere);
  stage.addEventListener('click', ({ target }) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('#preview [data-field]') : null;
    if (element !== null) open(element.dataset['field']?.split(' ')[0] ?? '');
  });
}
