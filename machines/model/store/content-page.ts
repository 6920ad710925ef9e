import * as v from 'valibot';

/** A page with the store's own content; `html` is untrusted. */
export const ContentPage = v.object({ name: v.string(), html: v.string() });
export type ContentPage = v.InferOutput<typeof ContentPage>;
