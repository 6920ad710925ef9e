import { filesIn, ownFolders } from '../../support/discovery.ts';
import type { PathModel } from '../../support/path-model.ts';
import { defaultStage } from './default-stage.ts';
import type { Stage } from './stage.ts';

const stagesOf = async (folder: string): Promise<Stage[]> => {
  const written = filesIn(folder, 'stage.ts').map(async (file) => {
    const { stage } = (await import(/* @vite-ignore */ `../../${folder}/${file}`)) as { stage: Stage };
    return stage;
  });
  const stages = await Promise.all(written);
  const { models } = (await import(/* @vite-ignore */ `../../${folder}/paths.ts`)) as { models: PathModel[] };
  const staged = new Set(stages.map(({ name }) => name));
  const others = [...Map.groupBy(models, ({ name }) => name)].filter(([name]) => !staged.has(name));
  return [...stages, ...others.map(([name, own]) => defaultStage(name, own))];
};

/** The stage of every machine: the one that stands beside its path models, else one made from these. */
export const stages: Stage[] = (await Promise.all(ownFolders.map(stagesOf))).flat();
