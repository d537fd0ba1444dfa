import type { Report } from '../diagnostics/diagnostic.ts';
import type { OutputFile, PrivateFile } from '../document/output-file.ts';
import type { TokenKey } from '../edge-runtime/rules.ts';
import type { Mapping } from '../users/mapping.ts';
import type { EdgeRules } from './contract.ts';
import type { Templates, View } from './template.ts';

/** What a rule of identity may read; a header is that of a trusted proxy, known by its address or by a secret that it adds. */
export type IdentitySource =
  | 'cookie'
  | 'header (trusted_proxies)'
  | 'header (shared_secret)'
  | `JWT (${TokenKey['algorithm']})`
  | 'auth_request'
  | 'hostname';

/** What a host supports. Declared by its adapter, enforced before it writes files, and listed in its README. */
export interface Capabilities {
  identity: readonly IdentitySource[];
  /** Maximum number of keys (users and groups together); 0 for a host without a mapping. */
  maxKeys: number;
  /** The reason for this limit: measured, or a limit of the vendor. */
  maxKeysBecause: string;
  /** The limit with keyed shards, if the host supports them. */
  keyed?: { maxKeys: number; maxKeysBecause: string };
  /** Whether keys that differ only by case are distinct. */
  caseSensitiveKeys: boolean;
  /** Whether it runs rules: negotiation, OPTIONS, error responses, headers and CORS. Without, it sends files: always JSON. */
  hasRules: boolean;
  /** ETag by content, by modification time (only on LIST), or none. */
  etag: 'content' | 'list-only' | 'none';
  /** Set if the server, when it compresses, sends the ETag of the uncompressed document. */
  etagOfCodings?: 'shared';
  /** Set if a hostname with a letter in upper case is none. */
  hostnames?: 'lower case';
  /** Maximum number of redirects of old paths; 0 if it cannot redirect. */
  redirects: number;
}

/** The input of an adapter. */
export interface EdgeInput {
  rules: EdgeRules;
  /** Keys with their themes. All keys use the canonical alphabet. */
  mapping: Mapping;
  /** The compiled handler, by file name, for hosts that run code. */
  runtime: Readonly<Record<string, string>>;
  templates: Templates;
  report: Report;
}

/** A file of the private output. */
export type EdgeFile = OutputFile | PrivateFile;

/** Writes the files that make one kind of host implement the contract. */
export interface EdgeAdapter {
  /** Name of the host in messages. */
  title: string;
  capabilities: Capabilities;
  /** The files below `edge/<host>/` besides README.md. Called only if the {@link Capabilities} suffice. */
  files(input: EdgeInput): EdgeFile[];
  /** How requests for the declared hostnames reach the service, for README.md; for hosts that read the hostname. */
  routing?: string;
  /** What README.md of the host, a template beside the adapter, says of a site beyond what the READMEs of all hosts may say. */
  readme?(input: EdgeInput): View;
  /** Files for the root of `dist/`, for hosts that read them there; never keys. */
  publicFiles?(input: EdgeInput): OutputFile[];
}
