import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { categoryPath } from '../../../machines/model/paths.ts';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';

const Tag = chakra(TextLink, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: 10,
    px: 4,
    bg: 'accentSoft',
    color: 'accentInk',
    borderRadius: 'full',
    fontSize: 'sm',
    fontWeight: 500,
    _hover: { textDecoration: 'underline' },
  },
});

/** The title's categories. */
export const CategoryLinks = ({ title }: { title: Title }): ReactElement | null => {
  const { t } = useLingui();
  if (title.categories.length === 0) return null;
  return (
    <chakra.nav aria-label={t`Categories of this title`} display="flex" flexWrap="wrap" gap={2}>
      {title.categories.map((category) => (
        <Tag key={category.id} href={categoryPath(category)} look="plain">
          {category.name}
        </Tag>
      ))}
    </chakra.nav>
  );
};
