import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { pathWith } from '../../../machines/model/list.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Chip } from './chip.ts';

/** The same list of another kind of title: category, search and sort stay. */
export const TypeChips = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t } = useLingui();
  const { lists, listTexts } = useBrand();
  const path = useSelector(actor, ({ context }) => pathWith(context.route, {}));
  const type = useSelector(actor, ({ context }) => context.query.type);
  const rest = path.replace(/^\/[^/?]*/, '');
  return (
    <chakra.nav aria-label={t`Kind of title`} display="flex" flexWrap="wrap" gap={2}>
      {lists.map((list) => (
        <Chip key={list} href={`/${list}${rest}`} look="plain" aria-current={list === type ? 'page' : undefined}>
          {list === 'all' ? t`All` : listTexts[list]}
        </Chip>
      ))}
    </chakra.nav>
  );
};
