import type { ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { sanitised } from './sanitised.ts';
import { prose } from './prose.ts';

/** The store's own HTML, made harmless. Loaded only where there is markup. */
export const Markup = ({ html }: { html: string }): ReactElement => (
  <chakra.div css={prose} dangerouslySetInnerHTML={{ __html: sanitised(html) }} />
);
