import * as v from 'valibot';
import { languages } from './language-names.ts';

/** A language of the shop, as a BCP 47 tag. */
export const Locale = v.picklist(languages);
export type Locale = v.InferOutput<typeof Locale>;
