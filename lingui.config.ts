import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

// No line numbers: a moved line must not count as catalogue drift.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'zh', 'es', 'fr', 'it'],
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'] }],
  format: formatter({ lineNumbers: false, origins: true, explicitIdAsDefault: true }),
  orderBy: 'message',
})
