import json
E='\x1b]0;pwn\x07\x1b[31m\x9b31m\r\x08\u202e\u2066\x00\x7f'
items=[]
for i,u in enumerate(['javascript:alert(1)','https://h.example/a'+E+'b','https://h.example/"><script>alert(1)</script>']):
    items.append(dict(id='i%d'%i+E,url=u,title='T<script>alert(1)</script>'+E+str(i),content_html='<p>words fog "bay" '+E+'<img src="https://h.example/x'+E+'"><script>', summary=E+'sum',image=u,banner_image='data:image/svg+xml,<svg onload=1>',date_published='2026-03-0%dT00:00:00Z'%(i+1)+E,authors=[dict(name='N'+E+'<b>',url=u,avatar=u)],tags=['t'+E,'<script>','../../x','.','..','con','a/b',''],attachments=[dict(url=u,mime_type='audio/mpeg'+E,title=E+'<script>')]))
json.dump(dict(version='https://jsonfeed.org/version/1.1',title='F'+E+'</title><script>alert(1)</script>',home_page_url='https://h.example/'+E,feed_url='https://h.example/f.json',icon='javascript:1',favicon='https://h.example/'+E,items=items,language='en"'+E,authors=[dict(name=E)]),open('f/e.json','w'))
