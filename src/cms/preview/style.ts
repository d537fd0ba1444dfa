import { GALLERY_STYLE } from '../../preview/gallery-style.ts';

/** The style sheet of the preview: that of the development server, in a narrower frame. */
export const PREVIEW_STYLE = `${GALLERY_STYLE}
.preview { padding: 1rem; }
.preview .screens { margin-top: 1rem; }
`;
