import { useLingui } from '@lingui/react/macro';
import { memo, type ReactElement } from 'react';
import { categoryPath } from '../../../machines/model/paths.ts';
import { joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { useApp } from '../../views/app-actor.ts';

const Tile = chakra(TextLink, {
  base: {
    display: 'grid',
    alignContent: 'center',
    gap: 1,
    minHeight: '6.5rem',
    p: 5,
    bg: 'surface',
    border: '1px solid',
    borderColor: 'line',
    borderLeft: '4px solid',
    borderLeftColor: 'accent',
    borderRadius: 'md',
    boxShadow: 'card',
    transition: 'background-color 120ms',
    _hover: { bg: 'accentSoft' },
  },
});

/** A link to each of the top categories, with some of its subcategories. */
export const CategoryTiles = memo((): ReactElement | null => {
  const { t, i18n } = useLingui();
  const categories = useApp((context) => context.categories);
  if (categories.length === 0) return null;
  return (
    <chakra.section aria-label={t`Browse by category`}>
      <chakra.h2 fontSize="2xl" mb={4}>
        {t`Browse by category`}
      </chakra.h2>
      <chakra.div display="grid" gridTemplateColumns="repeat(auto-fill, minmax(min(15rem, 100%), 1fr))" gap={4}>
        {categories.map((category) => (
          <Tile key={category.id} href={categoryPath(category)} look="bare">
            <chakra.span fontFamily="display" fontSize="xl" fontWeight={600}>
              {category.name}
            </chakra.span>
            <chakra.span fontSize="sm" color="inkMuted" lineClamp={2}>
              {joinNames(
                category.children.slice(0, 4).map(({ name }) => name),
                i18n.locale,
              )}
            </chakra.span>
          </Tile>
        ))}
      </chakra.div>
    </chakra.section>
  );
});
