import type { Report } from '../../core/diagnostics/diagnostic.ts';
import type { OutputFile, PrivateFile } from '../../core/document/files/output-file.ts';
import type { TokenKey } from '../../core/edge-runtime/rules.ts';
import type { Mapping } from '../../core/users/mapping.ts';
import type { EdgeRules } from '../contract/contract.ts';
import type { Templates, View } from './template.ts';

/** Where an identity rule may read the user from. A header is trusted only from a proxy, recognised by address or shared secret. */
export type IdentitySource =
  | 'cookie'
  | 'header (trusted_proxies)'
  | 'header (shared_secret)'
  | `JWT (${TokenKey['algorithm']})`
  | 'auth_request'
  | 'hostname';

/** The abilities of a host: declared by its adapter, enforced before it writes files, and listed in its README. */
export interface Capabilities {
  /** What the contract suite of `test/hosts/` runs: the server, the runtime of the platform on one machine, or a stand-in for it. */
  ranOn: string;
  identity: readonly IdentitySource[];
  /** Maximum number of keys (users and groups together); 0 for a host without a mapping. */
  maxKeys: number;
  /** The reason for this limit: measured, or a limit of the vendor. */
  maxKeysBecause: string;
  /** The limit with keyed shards, if the host supports them. */
  keyed?: { maxKeys: number; maxKeysBecause: string };
  /** Whether keys that differ only by case are distinct. */
  caseSensitiveKeys: boolean;
  /** Whether the host applies rules: negotiation, OPTIONS, errors, headers and CORS. Otherwise it serves files, always JSON. */
  hasRules: boolean;
  /** How the host makes an ETag: of the content, of the modification time (LIST only), or never. */
  etag: 'content' | 'list-only' | 'none';
  /** Set if the host accepts hostnames in lower case only. */
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

/** A file of the edge directory. */
export type EdgeFile = OutputFile | PrivateFile;

/** Writes the files that make a host implement the contract. */
export interface EdgeAdapter {
  /** The name of the host in messages. */
  title: string;
  capabilities: Capabilities;
  /** Returns the files below `edge/<host>/`, without README.md. Called only if the {@link Capabilities} suffice. */
  files(input: EdgeInput): EdgeFile[];
  /** For hosts that read the hostname: how requests for the declared hostnames reach the service. Part of README.md. */
  routing?: string;
  /** Returns the values that the README template of this host needs besides the common ones. */
  readme?(input: EdgeInput): View;
  /** Returns files for the root of `dist/`, for hosts that read configuration there; never keys. */
  publicFiles?(input: EdgeInput): OutputFile[];
}
