import type { Passwords } from './accounts/passwords.ts'
import type { ServerConfig } from './config.ts'
import type { Database } from './database/open.ts'
import type { PaymentPort } from './payment/port.ts'

/** Signs addresses of a title's files. */
export type MediaAddresses = {
  address(storeId: string, titleId: string, part: { file: string; mimeType: string }): { url: string; expiresAt: Date }
}

/** What the calls work with. One for the whole server; which store is meant comes with each call. */
export type Services = {
  db: Database
  config: ServerConfig
  payment: PaymentPort
  passwords: Passwords
  media: MediaAddresses
  log: { error(details: object, message: string): void }
}
