import type { ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { prose } from './prose.ts';
import { purifier } from './purifier.ts';

/**
 * Removes scripts, forms, frames, styles and handlers from HTML. It is parsed in standards mode, as
 * the page is: without a doctype, a table would not end the paragraph before it.
 */
const sanitize = (html: string): string =>
  purifier.sanitize(`<!doctype html>${html}`, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog'],
    FORBID_ATTR: ['style', 'class', 'id', 'name'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });

/** The store's own HTML, sanitised. Loaded only where there is markup. */
export const Markup = ({ html }: { html: string }): ReactElement => (
  <chakra.div css={prose} dangerouslySetInnerHTML={{ __html: sanitize(html) }} />
);
