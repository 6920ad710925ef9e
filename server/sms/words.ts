import type { Translator } from '../base/words.ts';

/**
 * The message with a code.
 * @param kind a shared code works for an hour
 */
export function codeMessage(i18n: Translator, kind: 'own' | 'shared', values: { code: string; shop: string }): string {
  return kind === 'own'
    ? i18n.t('{code} is your code for {shop}. It works for ten minutes. Don’t share it with anyone.', values)
    : i18n.t('{code} is your code for {shop}. It works for an hour. Don’t share it with anyone.', values);
}
