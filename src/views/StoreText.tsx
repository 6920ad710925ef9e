import { Suspense, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { lazyPart } from './lazy-part.ts';
import { prose } from './prose.ts';

const hasMarkup = (text: string): boolean => /<[a-z!/]|&(?:[a-z]+|#\w+);/i.test(text);

/** Where one block ends and another begins. */
const edges = /<\/?(?:p|div|h[1-6]|ul|ol|li|blockquote|section|table|tr|br)\b[^>]*>/gi;

/** What it says without its tags, in its paragraphs, so that little moves when the sanitiser is there. */
const bare = (text: string): string =>
  text
    .replaceAll(edges, '\n\n')
    .replaceAll(/<[^>]*>/g, '')
    .trim();

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

type StoreTextProps = {
  text: string;
  /** Suspends until the sanitiser is there: what stands below would move. */
  waits?: boolean;
};

/** Text that the store wrote: plain as it stands, HTML only after it has been sanitised. */
export const StoreText = ({ text, waits = false }: StoreTextProps): ReactElement => {
  if (!hasMarkup(text)) return <Plain text={text} />;
  if (waits) return <Markup html={text} />;
  return (
    <Suspense fallback={<Plain text={bare(text)} />}>
      <Markup html={text} />
    </Suspense>
  );
};
