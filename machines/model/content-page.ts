import * as v from 'valibot';
import { TitleSummary } from './title.ts';

/** A page that the store wrote; `html` is untrusted, `titles` is empty for all but campaigns. */
export const ContentPage = v.object({ name: v.string(), html: v.string(), titles: v.array(TitleSummary) });
export type ContentPage = v.InferOutput<typeof ContentPage>;
