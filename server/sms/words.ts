import type { Translator } from '../base/words.ts';

/**
 * Formats the text message with a code.
 * @param kind a shared code is valid for an hour
 */
export function formatCodeMessage(i18n: Translator, kind: 'own' | 'shared', values: { code: string; shop: string }): string {
  return kind === 'own'
    ? i18n.t('{code} is your code for {shop}. It’s valid for ten minutes. Don’t share it with anyone.', values)
    : i18n.t('{code} is your code for {shop}. It’s valid for an hour. Don’t share it with anyone.', values);
}
