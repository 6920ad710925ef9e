import { Suspense, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { BareMarkup } from './BareMarkup.tsx';
import { lazyWithFallback } from './lazy-with-fallback.ts';
import { prose } from './prose.ts';

const hasMarkup = (text: string): boolean => /<[a-z!/]|&(?:[a-z]+|#\w+);/i.test(text);

const Plain = ({ text }: { text: string }): ReactElement => (
  <chakra.div css={prose}>
    {text.split(/\n{2,}/).map((paragraph, index) => (
      <p key={index}>{paragraph}</p>
    ))}
  </chakra.div>
);

/** If the sanitiser cannot be loaded, the text is shown with its layout only. */
const Markup = lazyWithFallback(async () => (await import('./Markup.tsx')).Markup, BareMarkup);

/** The store's own text: plain text as it is, HTML only after sanitising. */
export const StoreText = ({ text }: { text: string }): ReactElement => {
  if (!hasMarkup(text)) return <Plain text={text} />;
  return (
    <Suspense fallback={<BareMarkup html={text} />}>
      <Markup html={text} />
    </Suspense>
  );
};
