import { I18n, type MessageDescriptor, type MessageId, type MessageOptions } from '@lingui/core';
import { withArticles } from '../../machines/model/store/dates.ts';

/** Lingui, whose finished texts take the articles of their language. */
export class ShopI18n extends I18n {
  override _(id: MessageDescriptor | MessageId, values?: Record<string, unknown>, options?: MessageOptions): string {
    return withArticles(this.locale, super._(id as MessageId, values, options));
  }
}
