import type { Catalogue } from './catalogue/types.ts'
import type { FirebaseSettings } from './sign-in/firebase.ts'

/** The operator's credential for one of an API's sign-ins. */
export type Credential =
  | { readonly token: string }
  | { readonly username: string; readonly password: string }
  | { readonly key: string }

/** An API as the operator set it up. */
export interface Api {
  readonly catalogue: Catalogue
  /** In place of the catalogue's own server. */
  readonly baseUrl?: string
  /**
   * Whether its answers count as the operator's own data, and other sources' data may be sent to it. Otherwise its
   * answers are labelled as outside data, since anybody may have written the texts in them.
   */
  readonly trusted?: boolean
  /** By name of the security scheme; for a catalogue that declares none, under any name. */
  readonly credentials?: Readonly<Record<string, Credential>>
}

/** The operator's settings for all APIs. */
export interface ApiSettings {
  /** Server of the first API, in place of its document's own. */
  readonly baseUrl?: string
  /** An account of Firebase for APIs that take a bearer token, or a file with such a token. */
  readonly firebase?: Omit<FirebaseSettings, 'contextFile'>
}
