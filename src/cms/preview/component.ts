import { hexOf } from '../../theme/palette.ts';
import type { Entry, PreviewSite } from './entry.ts';
import { NEW_SLUG, parentOf, type Preview, previewTheme } from './preview.ts';

/** An image in Sveltia CMS 0.221.1. These interfaces declare only the used parts. */
interface Asset {
  /** A blob URL, or, until it is loaded, a path. */
  url: string;
  /** Loads the image. */
  toBase64: () => Promise<string>;
}
interface EntryMap {
  /** `data`, `slug` or `path`. */
  get: (name: string) => unknown;
}
interface Props {
  entry: EntryMap;
  getAsset: (path: string) => Asset | undefined;
  getCollection: (name: string, slug: string) => Promise<EntryMap>;
}
interface Component {
  props: Props;
  state: { preview?: Preview };
  /** The number of the latest drawing; undefined after unmounting. */
  turn?: number | undefined;
  setState: (state: Component['state']) => void;
  draw: () => Promise<void>;
}
interface Cms {
  registerFieldType: (name: string, control: unknown) => void;
  registerPreviewStyle: (file: string) => void;
  registerPreviewTemplate: (collection: string, component: unknown) => void;
}
/** The parts of React that the CMS adds to `window`. */
interface ReactGlobals {
  h: (name: string, properties: Readonly<Record<string, unknown>>, ...children: unknown[]) => unknown;
  createClass: <T>(methods: object & ThisType<T>) => unknown;
}

/** The control of a colour; its label refers to `forID`. */
interface ColourControl {
  props: { value?: string | null; forID: string; onChange: (value: string) => void };
}

/** A theme of the chain, with the folder of its files. */
interface Theme extends Entry {
  folder: string;
}

/** Registers the preview of the edited theme, in the page of the CMS. */
export function registerPreview(cms: Cms, site: PreviewSite, styleFile: string): void {
  const { h, createClass } = globalThis as unknown as ReactGlobals;
  cms.registerPreviewStyle(styleFile);
  cms.registerPreviewTemplate(
    'themes',
    createClass<Component>({
      getInitialState: () => ({}),
      componentDidMount() {
        void this.draw();
      },
      componentDidUpdate({ entry }: Props) {
        if (entry !== this.props.entry) void this.draw();
      },
      componentWillUnmount() {
        this.turn = undefined;
      },
      async draw() {
        const turn = (this.turn ?? 0) + 1;
        this.turn = turn;
        const preview = await previewOf(this.props, site);
        // An older drawing may finish later, because images load slowly.
        if (turn === this.turn) this.setState({ preview });
      },
      render() {
        const { html = '', style = {} } = this.state.preview ?? {};
        // Escaped by `markup`, as on the pages of the development server.
        return h('main', { className: 'preview', style, dangerouslySetInnerHTML: { __html: html } });
      },
    }),
  );
}

/** Registers a type of field for a colour in any CSS syntax: a picker next to a text field. */
export function registerColour(cms: Cms, name: string): void {
  const { h, createClass } = globalThis as unknown as ReactGlobals;
  const control = createClass<ColourControl>({
    render() {
      const { forID, onChange } = this.props;
      const value = this.props.value ?? '';
      const properties = {
        picker: { type: 'color', 'aria-label': 'Pick the colour', value: hexOf(value) },
        text: { type: 'text', id: forID, value },
      };
      const onInput = ({ target }: { target: { value: string } }): void => onChange(target.value);
      const inputs = Object.values(properties).map((input) => h('input', { ...input, onInput }));
      return h('span', { style: { display: 'flex', gap: '.5rem' } }, ...inputs);
    },
  });
  cms.registerFieldType(name, control);
}

async function previewOf({ entry, getAsset, getCollection }: Props, site: PreviewSite): Promise<Preview> {
  const edited = themeOf(entry, NEW_SLUG);
  const chain = new Map([[edited.slug, edited]]);
  for (let parent = parentOf(edited); parent !== undefined && !chain.has(parent);) {
    // The CMS returns an empty entry for an unknown theme.
    const theme = themeOf(await getCollection('themes', parent), '');
    if (theme.slug !== parent) break;
    chain.set(parent, theme);
    parent = parentOf(theme);
  }
  const [, ...parents] = chain.values();
  return previewTheme(edited, parents, site, async (slug, path) => {
    const folder = chain.get(slug)?.folder ?? '';
    return loadAsset(() => getAsset(`${folder}/${path}`));
  });
}

function themeOf(entry: EntryMap, defaultSlug: string): Theme {
  const [slug, path] = [entry.get('slug'), entry.get('path')].map((value) => (typeof value === 'string' ? value : ''));
  const data = (entry.get('data') as { toJS?: () => Theme['data'] } | undefined)?.toJS?.() ?? {};
  return { slug: slug || defaultSlug, folder: `/${path ?? ''}`.replace(/\/[^/]*$/, ''), data };
}

/** Loads an asset. @returns its blob URL; undefined if there is none */
async function loadAsset(find: () => Asset | undefined): Promise<string | undefined> {
  try {
    if (find()?.url.startsWith('blob:') === false) await find()?.toBase64();
  } catch {
    return undefined;
  }
  const url = find()?.url;
  return url?.startsWith('blob:') ? url : undefined;
}
