import type { ValuesOf } from '../../command-line/command.ts';
import { FLAGS } from '../../command-line/flags.ts';

export const flags = {
  out: { ...FLAGS.out, about: 'Public output of the build, if NEW is omitted' },
  'edge-out': { ...FLAGS['edge-out'], about: 'Private output of that build, with its identity rules' },
  sample: {
    type: 'string',
    value: 'FILE:N',
    about: 'Compare both endpoints for N users of a CSV file, always the same ones',
  },
  header: {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Request both endpoints with this header too, its value from the environment; may be repeated',
  },
  'list-header': {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Request LIST of OLD with this header, for a list behind a login; may be repeated',
  },
  origin: {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    about: 'Compare as a page of this origin too, besides the origins in the build; may be repeated',
  },
  accept: { type: 'string', value: 'FILE', about: 'Known differences, each with a reason' },
  'media-host': { type: 'string', multiple: true, value: 'HOST', about: 'Fetch images from this host too' },
  rate: { type: 'string', value: 'N', default: '10', about: 'Requests per second to each service, at most' },
  quiet: { ...FLAGS.quiet, about: 'Print differences only' },
  format: { ...FLAGS.format, about: 'Results as text or json' },
} as const;

export type CompareFlags = ValuesOf<typeof flags>;
