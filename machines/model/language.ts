import * as v from 'valibot';

/** The five languages of the shop, as BCP 47 tags. */
export const Locale = v.picklist(['en', 'zh', 'es', 'fr', 'it']);
export type Locale = v.InferOutput<typeof Locale>;

export const locales: readonly Locale[] = Locale.options;
