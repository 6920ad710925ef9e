import { Suspense, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { BareMarkup } from './BareMarkup.tsx';
import { lazyPart } from './lazy-part.ts';
import { prose } from './prose.ts';

const hasMarkup = (text: string): boolean => /<[a-z!/]|&(?:[a-z]+|#\w+);/i.test(text);

const Plain = ({ text }: { text: string }): ReactElement => (
  <chakra.div css={prose}>
    {text.split(/\n{2,}/).map((paragraph, place) => (
      <p key={place}>{paragraph}</p>
    ))}
  </chakra.div>
);

/** Without the program that makes HTML harmless there are still the words. */
const Markup = lazyPart(async () => (await import('./Markup.tsx')).Markup, BareMarkup);

/** Text that the store wrote: plain as it stands, HTML only after it has been sanitised. */
export const StoreText = ({ text }: { text: string }): ReactElement => {
  if (!hasMarkup(text)) return <Plain text={text} />;
  return (
    <Suspense fallback={<BareMarkup html={text} />}>
      <Markup html={text} />
    </Suspense>
  );
};
