import type { ReactElement } from 'react';
import type { TitleSummary } from '../../../machines/model/title.ts';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';

const Fan = chakra('div', {
  base: {
    position: 'relative',
    justifySelf: 'center',
    width: { base: '9.5rem', md: '12rem' },
    aspectRatio: '2 / 3',
  },
});

const Leaf = chakra('div', {
  base: { position: 'absolute', inset: 0, display: 'flex', alignItems: 'center' },
  variants: {
    place: {
      front: { zIndex: 1 },
      left: { transform: 'translateX(-38%) rotate(-8deg) scale(0.86)' },
      right: { transform: 'translateX(38%) rotate(8deg) scale(0.86)' },
    },
  },
});

const behind = ['left', 'right'] as const;

/** The featured cover, with the next two looking out behind it. */
export const CoverFan = ({ titles }: { titles: TitleSummary[] }): ReactElement => {
  const [featured, ...others] = titles;
  return (
    <Fan aria-hidden="true">
      {behind.map((place, at) => {
        const title = others[at];
        return title === undefined ? null : (
          <Leaf key={title.id} place={place}>
            <Cover cover={title.cover} name={title.name} priority="eager" sizes="192px" />
          </Leaf>
        );
      })}
      {featured === undefined ? null : (
        <Leaf place="front">
          <Cover cover={featured.cover} name={featured.name} priority="first" sizes="(min-width: 768px) 192px, 152px" />
        </Leaf>
      )}
    </Fan>
  );
};
