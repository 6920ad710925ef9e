import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { authorPath, seriesPath } from '../../../machines/model/paths.ts';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { toRegionalTag } from '../../../machines/model/store/dates.ts';
import { formatCount } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';

/** A placeholder for the names in the translated sentence; it cannot occur in a text. */
const NAMES_PLACEHOLDER = '\uFFFC';

/** The title's authors, each with a link to their titles. */
export const AuthorLinks = ({ title }: { title: Title }): ReactElement | null => {
  const { t, i18n } = useLingui();
  if (title.authors.length === 0) return null;
  const authors = NAMES_PLACEHOLDER;
  const [textBefore = '', textAfter = ''] = t`by ${authors}`.split(NAMES_PLACEHOLDER);
  const parts = new Intl.ListFormat(toRegionalTag(i18n.locale), { type: 'conjunction' }).formatToParts(title.authors);
  return (
    <chakra.p fontSize="lg">
      {textBefore}
      {parts.map(({ type, value }, index) =>
        type === 'element' ? (
          // The same name may occur twice.
          <TextLink key={index} href={authorPath(value)} display="inline-block" py={0.5}>
            {value}
          </TextLink>
        ) : (
          value
        ),
      )}
      {textAfter}
    </chakra.p>
  );
};

/** The title's number in its series, with a link to the series. */
export const SeriesLink = ({ title }: { title: Title }): ReactElement | null => {
  const { t, i18n } = useLingui();
  if (title.series === null) return null;
  const { name, number } = title.series;
  const isBook = title.type === 'ebook' || title.type === 'audio';
  const which = number === null ? '' : formatCount(number, i18n.locale);
  const numberedText = isBook ? t`Book ${which} of ${name}` : t`Part ${which} of ${name}`;
  return (
    <chakra.p>
      <TextLink href={seriesPath(name)} display="inline-block" py={0.5}>
        {number === null ? t`Part of the series ${name}` : numberedText}
      </TextLink>
    </chakra.p>
  );
};
