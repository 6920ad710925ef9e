import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { authorPath, seriesPath } from '../../../machines/model/paths.ts';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { count } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';

/** Stands for the names in the sentence around them; no text of a person. */
const place = '\uFFFC';

/** Who wrote the title, each name leading to all that they wrote. */
export const AuthorLinks = ({ title }: { title: Title }): ReactElement | null => {
  const { t, i18n } = useLingui();
  if (title.authors.length === 0) return null;
  const authors = place;
  const [before = '', after = ''] = t`by ${authors}`.split(place);
  const parts = new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).formatToParts(title.authors);
  return (
    <chakra.p fontSize="lg">
      {before}
      {parts.map(({ type, value }, at) =>
        type === 'element' ? (
          // One name may stand there twice.
          <TextLink key={at} href={authorPath(value)} display="inline-block" py={0.5}>
            {value}
          </TextLink>
        ) : (
          value
        ),
      )}
      {after}
    </chakra.p>
  );
};

/** Which of its series the title is; leads to the series. */
export const SeriesLink = ({ title }: { title: Title }): ReactElement | null => {
  const { t, i18n } = useLingui();
  if (title.series === null) return null;
  const { name, number } = title.series;
  const isBook = title.type === 'ebook' || title.type === 'audio';
  const which = number === null ? '' : count(number, i18n.locale);
  const numbered = isBook ? t`Book ${which} of ${name}` : t`Part ${which} of ${name}`;
  return (
    <chakra.p>
      <TextLink href={seriesPath(name)} display="inline-block" py={0.5}>
        {number === null ? t`Part of the series ${name}` : numbered}
      </TextLink>
    </chakra.p>
  );
};
