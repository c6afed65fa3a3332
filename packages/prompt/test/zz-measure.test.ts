import { it } from 'vitest'
import { estimateTokens } from '@loam/text'
import { block, xmlLine } from '../src/safe-text.js'
import { checkInput } from '../src/check-input.js'
import { everything } from './everything.js'
import { renderSkills } from '../src/sections/skills.js'
import { renderLeadingFiles, renderTrailingFiles } from '../src/sections/project-context.js'
import { SECTION_TABLE } from '../src/sections/section-table.js'
import { buildSystemPrompt } from '../src/index.js'
function time(name: string, f: () => void, k=1) { for (let i=0;i<2000;i++) f(); const ts:number[]=[]; for(let i=0;i<1000;i++){const t=performance.now(); f(); ts.push(performance.now()-t)}; ts.sort((a,b)=>a-b); const v=ts[500]!*1000*k; console.log(name, v.toFixed(1)+'us'); return v }
const names = ['AGENTS.md','SOUL.md','TOOLS.md','IDENTITY.md','USER.md','USER_PREDEFINED.md','A.md','B.md','C.md','D.md','E.md','F.md','G.md']
it('m', () => {
    const content = ('# Title\n\nSome text about <b>things</b> & more, `code` here. ' + 'lorem ipsum dolor sit amet, '.repeat(20)).repeat(2000).slice(0, 24000/13|0)
    const files = names.map((name,i) => ({ name, content, origin: i%2? 'user' as const:'agent' as const }))
    const skills = Array.from({length:20},(_,i)=>({slug:`skill-${i}`,name:`Skill ${i}`,description:'Does this & that with things '.repeat(6),location:`/skills/skill-${i}/SKILL.md`}))
    const input = { ...everything, contextFiles: files, skills: { mode:'inline' as const, available: skills } }
  time('check', ()=>checkInput(input))
  const ctx = {input, mode:'full', order:'cache', firstRun:false, files} as any
  let sum=0
  for (const s of SECTION_TABLE) if (s.when?.(ctx) ?? true) { const t = s.render(ctx); sum += time(s.id+' '+s.title+' '+t.length, ()=>s.render(ctx)); sum += time('   estimate', ()=>estimateTokens(t)) }
  console.log('sum', sum)
  time('build', ()=>buildSystemPrompt(input))
  time('xml', ()=>xmlLine(skills[0]!.description,200))
  time('block', ()=>block('context_file',content,{name:'a'}))
})
