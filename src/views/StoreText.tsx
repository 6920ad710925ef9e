import { Suspense, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { lazyPart } from './lazy-part.ts';
import { prose } from './prose.ts';

const hasMarkup = (text: string): boolean => /<[a-z!/]|&(?:[a-z]+|#\w+);/i.test(text);

/** What it says without its tags, for the moment before the sanitiser is there. */
const bare = (text: string): string => text.replaceAll(/<[^>]*>/g, ' ').trim();

const Plain = ({ text }: { text: string }): ReactElement => (
  <chakra.div css={prose}>
    {text.split(/\n{2,}/).map((paragraph, place) => (
      <p key={place}>{paragraph}</p>
    ))}
  </chakra.div>
);

/** Without the program that makes HTML harmless there are still the words. */
const Markup = lazyPart(
  async () => (await import('./Markup.tsx')).Markup,
  ({ html }) => <Plain text={bare(html)} />,
);

/** Text that the store wrote: plain as it stands, HTML only after it has been sanitised. */
export const StoreText = ({ text }: { text: string }): ReactElement =>
  hasMarkup(text) ? (
    <Suspense fallback={<Plain text={bare(text)} />}>
      <Markup html={text} />
    </Suspense>
  ) : (
    <Plain text={text} />
  );
