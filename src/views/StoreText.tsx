import { Suspense, type ReactElement } from 'react';
import { chakra } from '../ui/chakra.ts';
import { lazyPart } from './lazy-part.ts';
import { prose } from './prose.ts';

const hasMarkup = (text: string): boolean => /<[a-z!/]|&(?:[a-z]+|#\w+);/i.test(text);

/** Where one block ends and another begins. */
const edges = /<\/?(?:p|div|h[1-6]|ul|ol|li|blockquote|section|table|tr|br)\b[^>]*>/gi;

const bare = (text: string): string => text.replaceAll(/<[^>]*>/g, '');

/** Bold words are wider: with them a paragraph may have a line more. In pairs between other words. */
const bold = /<(?:strong|b)>(.*?)<\/(?:strong|b)>/is;

const Plain = ({ text }: { text: string }): ReactElement => (
  <chakra.div css={prose}>
    {text.split(/\n{2,}/).map((paragraph, place) => (
      <p key={place}>{paragraph}</p>
    ))}
  </chakra.div>
);

/** What it says without its tags, in its paragraphs and with its bold words, so that little moves when the sanitiser is there. */
const Bare = ({ html }: { html: string }): ReactElement => (
  <chakra.div css={prose}>
    {html
      .replaceAll(edges, '\n\n')
      .trim()
      .split(/\n{2,}/)
      .map((paragraph, place) => (
        <p key={place}>
          {paragraph.split(bold).map((words, at) => (at % 2 === 1 ? <strong key={at}>{bare(words)}</strong> : bare(words)))}
        </p>
      ))}
  </chakra.div>
);

/** Without the program that makes HTML harmless there are still the words. */
const Markup = lazyPart(async () => (await import('./Markup.tsx')).Markup, Bare);

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
    <Suspense fallback={<Bare html={text} />}>
      <Markup html={text} />
    </Suspense>
  );
};
