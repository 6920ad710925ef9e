import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { ListType } from '../../../machines/model/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';

const Tab = chakra(
  Link,
  {
    base: {
      display: 'inline-flex',
      alignItems: 'center',
      minHeight: '2.75rem',
      px: 4,
      borderRadius: 'full',
      border: '1px solid',
      borderColor: 'line',
      bg: 'surface',
      color: 'ink',
      fontSize: 'sm',
      fontWeight: 600,
      textDecoration: 'none',
      whiteSpace: 'nowrap',
      _hover: { borderColor: 'accentInk' },
      '&[aria-current]': { bg: 'accent', color: 'accentText', borderColor: 'accent' },
    },
  },
  { forwardProps: ['href'] },
);

/** The customer’s whole catalog, by the store's name for it, and the kinds of titles that the store offers, as links of their own. */
export const TypeTabs = ({ current }: { current: ListType }): ReactElement => {
  const { t } = useLingui();
  const { lists, listTexts, catalogText } = useBrand();
  return (
    <chakra.nav aria-label={t`Kinds of titles`} display="flex" flexWrap="wrap" gap={2}>
      {lists.map((type) => (
        <Tab
          key={type}
          href={type === 'all' ? '/mylibrary' : `/mylibrary/${type}`}
          data-event="go"
          aria-current={type === current ? 'page' : undefined}
        >
          {type === 'all' ? catalogText : listTexts[type]}
        </Tab>
      ))}
    </chakra.nav>
  );
};
