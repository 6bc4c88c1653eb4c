const r=require(process.argv[2]);const by={};for(const t of r.tests){const f=t.file.replace(/.*test\//,'');by[f]??=0;by[f]+=t.duration??0;}
console.log(r.stats);console.log(Object.entries(by).sort((a,b)=>b[1]-a[1]).slice(0,25));
console.log(r.tests.sort((a,b)=>(b.duration??0)-(a.duration??0)).slice(0,60).map(t=>`${t.duration} ${t.file.replace(/.*test\//,'')} ${t.fullTitle.slice(0,110)}`).join('\n'));
for(const t of r.failures)console.log('FAIL',t.fullTitle,t.err.message?.slice(0,300));
