import { useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';

/** A title with its cover and actions. */
export const TitleLine = ({ title, children }: { title: TitleSummary; children?: ReactNode }): ReactElement => {
  const { i18n } = useLingui();
  return (
    <chakra.div display="grid" gridTemplateColumns="5.5rem 1fr" gap={4} alignItems="start" textAlign="start">
      <Cover cover={title.cover} name={title.name} sizes="88px" />
      <chakra.div display="grid" gap={2} justifyItems="start" minWidth="0">
        <chakra.p fontFamily="display" fontSize="lg" fontWeight={600} color="ink" overflowWrap="anywhere">
          {title.name}
        </chakra.p>
        {title.authors.length === 0 ? null : (
          <chakra.p fontSize="sm" color="inkMuted">
            {joinNames(title.authors, i18n.locale)}
          </chakra.p>
        )}
        {children}
      </chakra.div>
    </chakra.div>
  );
};

/** Several titles, one below the other. */
export const TitleList = chakra('ul', { base: { listStyleType: 'none', display: 'grid', gap: 4 } });
