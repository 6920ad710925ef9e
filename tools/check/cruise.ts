import { cruise, type ICruiseResult, type IForbiddenRuleType, type IModule } from 'dependency-cruiser';
import { forbiddenImports, layers, serverLayers, toolLayers, type Layer } from './layers.ts';
import { passUnlessComplaints, type Outcome } from './step.ts';

const CLIENT_PATHS = '^(machines|src)/';
/**
 * Rules that page and server share: addresses of the shop and of e-mail, currencies by country, how
 * a browser remembers choices.
 */
const plainModelFiles =
  '^machines/model/(store/(appearance|articles|choice-cookie|countries|country-list|currency|dates|language-names|links|page-name-context|ordinals|page-template|paid-in|server-rendering)|catalogue/(campaign-rewards|list-form)|account/(custom-field|email)|buying/order-number|paths)\\.ts$';
const graphPattern = /^(machines|src|server|tools|tests)\//;

function canImport(from: Layer, to: Layer): boolean {
  if (from === to) return true;
  if (forbiddenImports[from.name]?.includes(to.name)) return false;
  return to.level < from.level;
}

function createLayerRule(floor: Layer): IForbiddenRuleType {
  const allowed = layers.filter((other) => canImport(floor, other)).map((other) => other.path);
  return {
    name: `${floor.name} imports only lower layers`,
    severity: 'error',
    from: { path: floor.path },
    to: { path: CLIENT_PATHS, pathNot: allowed },
  };
}

/** The layers of a folder: each part imports only its own files and those of lower layers. */
const layersByFolder = { server: serverLayers, tools: toolLayers };

const toPathPattern = (folder: string, place: string): string =>
  `^${folder}/${place.replace('.', '\\.')}${place.includes('.') ? '$' : '/'}`;

const layerRules = (): IForbiddenRuleType[] =>
  Object.entries(layersByFolder).flatMap(([folder, layers]) =>
    layers.flatMap((places, at) =>
      places.map((place) => {
        const lower = [place, ...layers.slice(0, at).flat()];
        return createForbidRule(
          `${folder}/${place} imports only lower layers`,
          { path: toPathPattern(folder, place) },
          { path: `^${folder}/`, pathNot: lower.map((each) => toPathPattern(folder, each)) },
        );
      }),
    ),
  );

type From = NonNullable<IForbiddenRuleType['from']>;
type To = Exclude<IForbiddenRuleType, { module: unknown }>['to'];

function createForbidRule(name: string, from: From, to: To): IForbiddenRuleType {
  return { name, severity: 'error', from, to };
}

const rules: IForbiddenRuleType[] = [
  ...layers.map(createLayerRule),
  ...layerRules(),
  createForbidRule('no cycles', {}, { circular: true }),
  createForbidRule(
    'a flow does not import files of another flow',
    { path: '^src/flows/([^/]+)/' },
    { path: '^src/flows/[^/]+/', pathNot: '^src/flows/$1/' },
  ),
  createForbidRule(
    'a view does not import the client or a port',
    { path: '^src/(flows|shell)/.*\\.tsx$' },
    { path: '^src/(client|storage|history|trace|reader)/|^src/(flows|shell)/.*\\b(ports?|calls?)\\.ts$' },
  ),
  // The translations of `lazy` are not loaded yet when the landing page is.
  createForbidRule(
    'the landing page and the frame do not import lazy views',
    { path: '^src/(main\\.tsx$|shell/|flows/landing/)' },
    { path: '^src/views/lazy/', reachable: true },
  ),
  // Exceptions: the development start runs a server beside its page; benches of large catalogues
  // and the operator's command write to its database; tables in docs are generated from its own.
  createForbidRule(
    'nothing imports the server',
    {
      pathNot:
        '^(server|tests|tools/tours)/|^tools/(check/tables/[\\w-]+|start/dev(-pages)?|store/(import/)?[\\w-]+|bench/(catalogue(-titles)?|big-store))\\.ts$',
    },
    { path: '^server/' },
  ),
  createForbidRule('nothing imports the tests', { pathNot: '^tests/' }, { path: '^tests/' }),
  createForbidRule(
    'the server imports only generated types, the registry and shared rules',
    { path: '^server/' },
    {
      path: '^(machines|src|tools|tests)/',
      pathNot: `^src/client/wire/schema\\.gen\\.ts$|^machines/flows/(registry|routes)\\.ts$|${plainModelFiles}`,
    },
  ),
  createForbidRule('a shared rule imports only shared rules', { path: plainModelFiles }, { path: '.', pathNot: plainModelFiles }),
  createForbidRule('browser code does not import Node modules', { path: CLIENT_PATHS }, { dependencyTypes: ['core'] }),
  createForbidRule('every import resolves', {}, { couldNotResolve: true, pathNot: '^virtual:|\\?(?:url|worker|raw)' }),
];

function packageComplaints(module: IModule, floor: Layer): string[] {
  const { packages } = floor;
  if (packages === undefined) return [];
  return module.dependencies
    .filter((dependency) => !/^[./]/.test(dependency.module) && !packages.includes(dependency.module))
    .map((dependency) => `${floor.name} may not use ${dependency.module}: ${module.source}`);
}

const placePatterns = Object.entries(layersByFolder).flatMap(([folder, layers]) =>
  layers.flat().map((place) => new RegExp(toPathPattern(folder, place))),
);

function placeComplaints(module: IModule): string[] {
  const [folder = ''] = module.source.split('/');
  if (folder in layersByFolder)
    return placePatterns.some((place) => place.test(module.source)) ? [] : [`is in no layer of ${folder}: ${module.source}`];
  const places = layers.filter((floor) => new RegExp(floor.path).test(module.source));
  if (places.length === 1 && places[0] !== undefined) return packageComplaints(module, places[0]);
  return [`${places.length === 0 ? 'is in no layer' : 'is in two layers'}: ${module.source}`];
}

function isGraph(output: ICruiseResult | string): output is ICruiseResult {
  return typeof output !== 'string';
}

/** Cruises the tree under the working folder `root` and reports imports that violate the layers. */
export async function checkLayers(root: string, folders = ['machines', 'src', 'server', 'tools', 'tests']): Promise<Outcome> {
  const { output } = await cruise(
    folders,
    {
      baseDir: root,
      ruleSet: { forbidden: rules },
      validate: true,
      // Type-only imports count: a view that uses the API's types depends on the API.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '^dist/|^server/demo/media/' },
    },
    {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts'],
      conditionNames: ['import', 'types', 'node'],
      exportsFields: ['exports'],
    },
  );
  if (!isGraph(output)) throw new Error('dependency-cruiser returned text instead of a graph');
  const broken = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  const own = output.modules.filter((module) => graphPattern.test(module.source));
  const files = own.filter(
    ({ source }) => (new RegExp(CLIENT_PATHS).test(source) || source.startsWith('server/')) && !source.endsWith('.d.ts'),
  );
  return passUnlessComplaints([...broken, ...files.flatMap(placeComplaints)], `${own.length} files respect their layers`);
}
