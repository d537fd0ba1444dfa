import { BASE_STYLE } from '../../document/base-style.ts';
import { MOCK_STYLE } from '../../preview/mock-style.ts';

/** The style sheet of the preview: as on the development server, in a narrower frame. */
export const PREVIEW_STYLE = `${BASE_STYLE}${MOCK_STYLE}
.preview { padding: 1rem; }
.preview .screens { margin-top: 1rem; }
`;
